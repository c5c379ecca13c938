// Build step: writes a .br and a .gz next to every compressible file, so that the server only picks one.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const shrinking = new Set(['.js', '.css', '.svg', '.json', '.txt', '.webmanifest'])
const smallBytes = 256

/** Skips the page itself: the server fills it at serve time. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle: async () => {
      const names = await readdir(folder, { recursive: true })
      for (const name of names) if (shrinking.has(extname(name))) await compressFile(join(folder, name))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < smallBytes) return
  const brotli = await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })
  await writeFile(`${path}.br`, brotli)
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
