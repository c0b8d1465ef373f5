"""The agreement report: its sections on ratings, boxes, answers and annotators, and the cells and
columns they are made of.
"""
