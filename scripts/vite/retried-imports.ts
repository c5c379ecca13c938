// Build step: every `import()` of the web client is repeated when the network has lost the file.
import { join } from 'node:path'
import type { Plugin } from 'vite'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

export function retriedImports(): Plugin {
  let loader = ''
  return {
    name: 'retried-imports',
    apply: 'build',
    configResolved: ({ root }) => {
      loader = join(root, 'lib/load-part.ts')
    },
    transform: {
      filter: { id: { include: /\/web\/.*\.tsx?$/, exclude: /\/(load-part|rescue|prerender)\.tsx?$/ }, code: 'import(' },
      handler(code) {
        const places: Node[] = []
        collect(this.parse(code), places)
        let wrapped = code
        for (const { start, end } of places.toSorted((one, other) => other.start - one.start))
          wrapped = `${wrapped.slice(0, start)}loadPart$(() => ${wrapped.slice(start, end)})${wrapped.slice(end)}`
        // On the first line, so that source maps stay right.
        return { code: `import { loadPart as loadPart$ } from ${JSON.stringify(loader)};${wrapped}`, map: null }
      },
    },
  }
}

/** All dynamic imports, none of which is inside another. */
function collect(node: Node, places: Node[]): void {
  if (node.type === 'ImportExpression') places.push(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) collect(child, places)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
