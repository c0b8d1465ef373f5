/** Quotes as phones and word processors type them. */

/** A query with plain quotes, as the search understands: as in annotation/normalised_text.py. */
export const plainQuotes = (typed: string) =>
  typed.replace(/[“”„‟«»＂]/g, '"').replace(/[‘’‚‛‹›＇]/g, "'");
