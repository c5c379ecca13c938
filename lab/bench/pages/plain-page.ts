// Builds the plain page into the assets of the built client, so that the same server sends it with the same compression.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { built } from '../../../scripts/first-load.ts'

export interface PlainPage {
  readonly path: string
  remove(): Promise<void>
}

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Plain chart</title>
    <link rel="icon" href="data:," />
    <style>html, body { height: 100%; margin: 0 }</style>
    <script type="module" src="plain.js"></script>
  </head>
  <body></body>
</html>
`

export async function servePlainPage(): Promise<PlainPage> {
  const folder = join(built, 'assets/plain-page')
  const outputs = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'esnext', rolldownOptions: { input: join(import.meta.dirname, 'plain.ts') } },
  })) as Rolldown.RolldownOutput
  const code = outputs.output.find((part) => part.type === 'chunk')?.code ?? ''
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'index.html'), html)
  await writeFile(join(folder, 'plain.js'), code)
  await writeFile(join(folder, 'plain.js.br'), await promisify(brotliCompress)(code))
  return { path: '/assets/plain-page/index.html', remove: () => rm(folder, { recursive: true, force: true }) }
}
