"""What the program shows and follows: help, method sheets, policy, icons, report templates."""
