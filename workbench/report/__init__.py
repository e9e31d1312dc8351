"""Room 8, out: workbook, tables, report, signature, verification."""
