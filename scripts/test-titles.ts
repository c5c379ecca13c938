// Reads the tests of a file without running them: their titles, and the source that each of them uses.
import { parseSync } from 'vite'

export interface NamedTest {
  /** As written: a table's title with its placeholders, a template with its `${}`. */
  readonly title: string
  /** The call with its table, and the declarations of the file that it uses, directly or through others. */
  readonly source: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Skipped and unfinished tests hold nothing. */
const idle = new Set(['skip', 'todo', 'fixme', 'fails', 'describe'])

/** @throws Error if the file cannot be parsed */
export function readTests(file: string, source: string): NamedTest[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
  const declarations = new Map<string, Node>()
  const found: { title: string; node: Node }[] = []
  visit(program, (node) => {
    const title = titleOf(node, source)
    if (title !== undefined) found.push({ title, node })
    else if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration') {
      const name = identifierOf(child(node, 'id'))
      if (name !== undefined) declarations.set(name, node)
    }
    return title === undefined
  })
  return found.map(({ title, node }) => ({ title, source: textsOf(node, declarations, source).join('\n') }))
}

function textsOf(test: Node, declarations: ReadonlyMap<string, Node>, source: string): string[] {
  const used = new Set([test])
  for (const node of used)
    visit(node, (inner) => {
      const declared = declarations.get(identifierOf(inner) ?? '')
      if (declared !== undefined) used.add(declared)
      return true
    })
  return [...used].map(({ start, end }) => source.slice(start, end))
}

/** The title of a call of `test` or `it`, with or without a table; undefined for any other node. */
function titleOf(node: Node, source: string): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const [title] = fieldOf(node, 'arguments') as readonly Node[]
  if (title === undefined) return undefined
  const words = title.type === 'TemplateLiteral' ? source.slice(title.start + 1, title.end - 1) : fieldOf(title, 'value')
  if (typeof words !== 'string') return undefined
  let callee = child(node, 'callee')
  while (callee.type === 'MemberExpression' || callee.type === 'CallExpression') {
    if (callee.type === 'MemberExpression' && idle.has(identifierOf(child(callee, 'property')) ?? '')) return undefined
    callee = child(callee, callee.type === 'MemberExpression' ? 'object' : 'callee')
  }
  return ['test', 'it'].includes(identifierOf(callee) ?? '') ? words : undefined
}

function identifierOf(node: Node): string | undefined {
  const name = fieldOf(node, 'name')
  return node.type === 'Identifier' && typeof name === 'string' ? name : undefined
}

function child(node: Node, name: string): Node {
  return fieldOf(node, name) as Node
}

function fieldOf(node: Node, name: string): unknown {
  return (node as unknown as Readonly<Record<string, unknown>>)[name]
}

/** Calls `enter` for every node, from the outside in; it returns whether to go on inside. */
function visit(node: Node, enter: (node: Node) => boolean): void {
  if (!enter(node)) return
  for (const value of Object.values(node).flat()) if (isNode(value)) visit(value, enter)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
