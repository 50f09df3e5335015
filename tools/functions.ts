import { parseSync } from '@swc/core'

export interface FoundFunction {
  file: string
  name: string
  lines: number
  /** A React component: a capitalised function of a .tsx file. */
  component: boolean
}

interface Node {
  type: string
  span?: { start: number; end: number }
  identifier?: { value?: string }
  key?: { value?: string }
  id?: { value?: string }
  init?: Node
  value?: Node
  function?: Node
}

/** Every named function of a file: declarations, methods, and functions bound to a const or a property. */
export function findFunctions(file: string, text: string): FoundFunction[] {
  // A first statement shows where the parser's positions begin: it counts bytes over all files it has read.
  const source = Buffer.from(`0;\n${text}`)
  const tree = parseSync(source.toString(), { syntax: 'typescript', tsx: file.endsWith('.tsx') })
  const base = (tree.body[0] as unknown as Node).span!.start
  const found: FoundFunction[] = []
  const add = (name: string | undefined, span: Node['span']) => {
    if (!name || !span) return
    const lines = source
      .subarray(span.start - base, span.end - base)
      .toString()
      .split('\n').length
    found.push({ file, name, lines, component: file.endsWith('.tsx') && /^[A-Z]/.test(name) })
  }
  const isFunction = (node?: Node) => node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return
    const node = value as Node
    if (node.type === 'FunctionDeclaration') add(node.identifier?.value, node.span)
    if (node.type === 'ClassMethod' || node.type === 'MethodProperty')
      add(node.key?.value, node.function?.span ?? node.span)
    if (node.type === 'VariableDeclarator' && isFunction(node.init)) add(node.id?.value, node.init!.span)
    if (node.type === 'KeyValueProperty' && isFunction(node.value)) add(node.key?.value, node.value!.span)
    for (const inner of Object.values(node)) visit(inner)
  }
  visit(tree.body.slice(1))
  return found
}
