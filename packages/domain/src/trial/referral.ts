/** Head of the column that says how a patient was invited, in the specification's words, which a recruiter's own lists go by. */
export const INVITED_BY_HEAD = 'SRAI Communication'
