// Keeps the chart library's own functions that have the names of our schema builders, whose calls the build may drop.
import type { Plugin } from 'vite'

/** Minified libraries use single letters as function names, including the one of zod. */
const lost = /^(z|route|texts)$/

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

export function keptCalls(): Plugin {
  return {
    name: 'kept-calls',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/lightweight-charts\// },
      handler(code) {
        const places: Node[] = []
        collect(this.parse(code), undefined, places)
        let kept = code
        for (const { start, end } of places.toSorted((one, other) => other.start - one.start))
          kept = `${kept.slice(0, start)}${kept.slice(start, end)}_kept${kept.slice(end)}`
        return { code: kept, map: null }
      },
    },
  }
}

/** All uses of the name as a variable, but not as a property. */
function collect(node: Node, parent: Node | undefined, places: Node[]): void {
  if (node.type === 'Identifier' && lost.test((node as Node & { name: string }).name) && !isPropertyName(node, parent)) places.push(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) collect(child, node, places)
  }
}

function isPropertyName(node: Node, parent: Node | undefined): boolean {
  const { property, key, computed, shorthand } = (parent ?? {}) as Readonly<Record<string, unknown>>
  if (shorthand === true) throw new Error('The chart library uses a shorthand property of a name that this build must change')
  return (property === node || key === node) && computed !== true
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
