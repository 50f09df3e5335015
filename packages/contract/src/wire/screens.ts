/** Names the version of the screens that the answering server has: the file name of the portal's script. */
export const SCREENS_HEADER = 'x-pillar-screens'
