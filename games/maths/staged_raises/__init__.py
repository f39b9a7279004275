"""One's own cards with community cards, and raises by stages against a paytable: Cajun Stud (chapter 683a),
Mississippi Stud (655a), Criss-Cross Poker (592), Raise It Up Stud Poker (587), Flop Poker (583).
"""
