// Build step: lists the app's first scripts in the page, so that its entry can fetch them before it runs them.
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** `modules` are what the app loads first, relative to the source folder. */
export function appFiles(modules: readonly string[]): Plugin {
  let root = ''
  return {
    name: 'app-files',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const children = JSON.stringify(filesOf(bundle, new Set(modules.map((one) => join(root, one)))))
        return { html, tags: [{ tag: 'script', injectTo: 'head', attrs: { type: 'application/json', id: 'app-files' }, children }] }
      },
    },
  }
}

/** Chunks of these modules and of their static imports. */
function filesOf(bundle: Rolldown.OutputBundle, modules: ReadonlySet<string>): string[] {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const seen = new Set<string>()
  const collect = (file: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === file)
    if (chunk === undefined || seen.has(file)) return
    seen.add(file)
    chunk.imports.forEach(collect)
  }
  for (const { facadeModuleId, fileName } of chunks) if (facadeModuleId !== null && modules.has(facadeModuleId)) collect(fileName)
  return [...seen].map((file) => `/${file}`)
}
