// The main tasks in browsers that do not behave: 0 crashes, nothing typed is lost, and each task is done.
import { expect } from '@playwright/test'
import { conditions, plainHttpHost } from './harness/hostile-conditions.ts'
import { walks } from './harness/hostile-walks.ts'
import { test } from './harness/test.ts'
import { world } from './harness/world.ts'

for (const condition of conditions)
  test.describe(condition.name, { tag: '@slow' }, () => {
    for (const walk of walks)
      test(walk.name, async ({ open, pageErrors }) => {
        const { page } = await open('/robots.txt', {
          ...(condition.context === undefined ? {} : { context: condition.context }),
          ...(condition.isPlainHttp === true ? { origin: world().origin.replace('127.0.0.1', plainHttpHost) } : {}),
          before: async (fresh) => void (await condition.prepare?.(fresh)),
        })
        await walk.run({
          page,
          midway: async () => void (await condition.midway?.(page)),
          forgetsSession: condition.forgetsSession === true,
        })
        pageErrors.splice(0, Infinity, ...pageErrors.filter((text) => !isExpected(text)))
        expect(await page.getByText('Unexpected Application Error!').count()).toBe(0)
      })
  })

/** What the browser says of plain http. */
function isExpected(error: string): boolean {
  return error.startsWith('console: The Cross-Origin-Opener-Policy header has been ignored')
}
