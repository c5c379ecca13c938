// The main tasks while one script of the page cannot be loaded: once, and the task is done; or always, and the page says
// so and offers to try again. Two scripts of each walk a run, chosen by the day or HOSTILE_SEED; all with HOSTILE_SCRIPTS=all, or some by a part of their name.
import { expect, type Page } from '@playwright/test'
import { walks, type Walk } from './harness/hostile-walks.ts'
import { loseScript, sampleOf, watchScripts, type Loss } from './harness/lost-scripts.ts'
import { test, type Open } from './harness/test.ts'

const chosen = process.env['HOSTILE_SCRIPTS']
const seed = Number(process.env['HOSTILE_SEED'] ?? Math.floor(Date.now() / 86_400_000))

test.describe('a script that fails', { tag: '@slow' }, () => {
  for (const [at, walk] of walks.entries())
    test(walk.name, async ({ open, pageErrors }) => {
      test.setTimeout(chosen === undefined ? 240_000 : 3_600_000)
      const { page } = await open('/robots.txt')
      const scripts = watchScripts(page)
      await run(walk, page)
      await page.close()
      const lost =
        chosen === undefined ? sampleOf(scripts, 2, seed + at) : scripts.filter((script) => chosen === 'all' || script.includes(chosen))
      console.log(`${walk.name}: ${lost.join(', ')} of ${scripts.length} scripts, HOSTILE_SEED=${seed}`)
      const problems: string[] = []
      for (const script of lost)
        for (const loss of ['once', 'always'] as const)
          await walkWithout(script, loss, { walk, open }).catch((error: unknown) => problems.push(`${script} ${loss}: ${String(error)}`))
      expect(problems).toEqual([])
      // The page logs what it could not load.
      expect(pageErrors.filter((error) => /blocked|policy/.test(error))).toEqual([])
      pageErrors.length = 0
    })
})

async function walkWithout(script: string, loss: Loss, { walk, open }: { walk: Walk; open: Open }): Promise<void> {
  const { page } = await open('/robots.txt')
  await loseScript(page, script, loss)
  if (loss === 'once') await run(walk, page)
  else {
    const words = page.getByText(/\b(retry|try again|reload the page)\b/i).filter({ visible: true })
    await Promise.any([run(walk, page), words.first().waitFor({ timeout: 40_000 })])
  }
  expect(await page.getByText('Unexpected Application Error!').count()).toBe(0)
  await page.close()
}

function run(walk: Walk, page: Page): Promise<void> {
  return walk.run({ page, midway: () => Promise.resolve(), forgetsSession: false })
}
