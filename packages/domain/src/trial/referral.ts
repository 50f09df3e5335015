/** Head of the column for how a patient was invited, in the specification's words, which recruiters' own lists rely on. */
export const INVITED_BY_HEAD = 'SRAI Communication'
