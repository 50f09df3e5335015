export interface ServerEvent {
  event: string
  data: string
}

/** Cuts text that comes in pieces into server-sent events; what is left over at the end was not whole. */
export function eventReader(): (piece: string) => ServerEvent[] {
  let left = ''
  return (piece) => {
    const blocks = `${left}${piece}`.split('\n\n')
    left = blocks.pop() ?? ''
    return blocks.map(eventOf)
  }
}

function eventOf(block: string): ServerEvent {
  const found: ServerEvent = { event: 'message', data: '' }
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) found.event = line.slice(7)
    if (line.startsWith('data: ')) found.data += line.slice(6)
  }
  return found
}
