"""Commands that bring data in, search it and write it out: documents, tasks, elements, runs,
exports.
"""
