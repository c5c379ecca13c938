// Moves the source maps of a build out of the public folder, so that only the server and developers can read them.
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/** Needs `sourcemap: 'hidden'`. The maps are written to `source-maps` next to the build folder. */
export function sourceMaps(): Plugin {
  let folder = ''
  return {
    name: 'source-maps',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle: async () => {
      const target = join(folder, '../source-maps')
      await rm(target, { recursive: true, force: true })
      await mkdir(target, { recursive: true })
      const names = await readdir(folder, { recursive: true })
      for (const name of names) if (name.endsWith('.map')) await rename(join(folder, name), join(target, basename(name)))
    },
  }
}
