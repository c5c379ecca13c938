// Build step: puts web/rescue.ts into the page itself, because it is for the case that no file comes.
import { join } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const tag = /<script type="module" src="\/rescue\.ts"><\/script>/

/** The server allows this script in the page's policy by its hash. */
export function inlineRescue(): Plugin {
  let root = ''
  return {
    name: 'inline-rescue',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    transformIndexHtml: {
      order: 'pre',
      handler: async (html) => {
        const code = await bundle(root)
        if (!tag.test(html)) throw new Error('index.html does not load rescue.ts')
        return html.replace(tag, () => `<script>${code}</script>`)
      },
    },
  }
}

async function bundle(root: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: join(root, 'rescue.ts'), output: { format: 'iife' } },
    },
  })
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput
  const code = output[0].code.trim()
  if (code.includes('</script')) throw new Error('rescue.ts would end its own element')
  return code
}
