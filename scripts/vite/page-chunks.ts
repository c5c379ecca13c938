// Chunks by page: modules that the same set of pages loads statically share a file, and no page loads unused code.
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'

/** Entry of each page, and modules that it loads in addition, relative to the source folder. */
type Pages = Readonly<Record<string, { readonly entry: string; readonly chunks: readonly string[] }>>

/** Stay in the entry's own file; the page would name every file that it imports otherwise. */
const entry = /\/web\/(main\.tsx|start\.ts)$/

/** Less code costs every page fewer bytes than a file of its own costs some. */
const ownFileBytesMin = 200

/** Builds once without writing, because only a build knows the remaining modules of a page's imports. */
export function pageChunks(pages: Pages): Plugin {
  return {
    name: 'page-chunks',
    apply: 'build',
    async config({ root = '', build: { rolldownOptions } = {} }) {
      const chunks = await chunksOf(root, rolldownOptions)
      const modules = new Map(
        Object.entries(pages).map(([page, parts]) => [
          page,
          modulesOf(
            chunks,
            [parts.entry, ...parts.chunks].map((part) => join(root, part)),
          ),
        ]),
      )
      const sizeOf = (id: string) => chunks.find((chunk) => chunk.modules[id] !== undefined)?.modules[id]?.renderedLength ?? 0
      return {
        build: { rolldownOptions: { output: { codeSplitting: { groups: [{ debugName: 'pages', name: chunkNamer(modules, sizeOf) }] } } } },
      }
    },
  }
}

/** Chunk name of a module id; null for a module that no page loads statically. */
function chunkNamer(pages: ReadonlyMap<string, ReadonlySet<string>>, sizeOf: (id: string) => number): (id: string) => string | null {
  const nameOf = (id: string): string => {
    const names = [...pages].flatMap(([page, modules]) => (modules.has(id) ? [page] : []))
    return names.length === pages.size ? 'shared' : names.join('-')
  }
  const sizes = new Map<string, number>()
  for (const id of new Set([...pages.values()].flatMap((modules) => [...modules])))
    sizes.set(nameOf(id), (sizes.get(nameOf(id)) ?? 0) + sizeOf(id))
  return (id) => {
    const name = nameOf(id)
    if (entry.test(id) || name === '') return null
    return (sizes.get(name) ?? 0) < ownFileBytesMin ? 'shared' : name
  }
}

async function chunksOf(root: string, { input, treeshake = true }: Rolldown.InputOptions = {}): Promise<Rolldown.OutputChunk[]> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [react()],
    build: {
      write: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { treeshake, ...(input === undefined ? {} : { input }) },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[]
  return outputs.flatMap(({ output }) => output.filter((part) => part.type === 'chunk'))
}

/** Modules of the chunks of these modules, and of all their static imports. */
function modulesOf(chunks: readonly Rolldown.OutputChunk[], entries: readonly string[]): ReadonlySet<string> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const open = chunks.filter(({ facadeModuleId }) => entries.includes(facadeModuleId ?? '')).map(({ fileName }) => fileName)
  const seen = new Set<string>()
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    open.push(...(byFile.get(file)?.imports ?? []))
  }
  return new Set([...seen].flatMap((file) => byFile.get(file)?.moduleIds ?? []))
}
