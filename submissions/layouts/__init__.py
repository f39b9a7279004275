"""Layouts, payout signs and gaming guides: the required elements, uploaded drawings, the portal's papers, the filings.

`required_elements` derives from chapter and answers, `recognition` reads a drawing, `inspection` compares the two;
`reference_drawing` and `paper_pdf` draw; `layout_filings` and `layout_review` are the actions of licensee and Board.
"""
