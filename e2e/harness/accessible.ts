// What every screen and dialog must hold: no violation found by axe, and nothing to scroll sideways.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoSideScroll } from './see.ts'

export async function expectAccessible(page: Page): Promise<void> {
  await settle(page)
  // The legacy mode runs in the page itself instead of a second one, a third of the work; it leaves out frames of other origins, which here are the fake widget's.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
  await expectNoSideScroll(page)
}

/** On a touch screen each control is at least 44 pixels high; a link within a sentence may be as high as its line. */
export async function expectTouchTargets(part: Locator): Promise<void> {
  const low = await part
    .locator('button, input:not([type=checkbox]), select, a[href]')
    .evaluateAll((controls) =>
      controls
        .map((control) => ({ name: control.ariaLabel ?? control.textContent, height: control.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height < 44),
    )
  expect(low).toEqual([])
}

/** Half of a fade has half of a contrast: waits for what ends by itself, not for what breathes on. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((animation) => animation.finished))
  })
}
