// Checks of every screen and dialog: no violation found by axe, and no horizontal scrolling.
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { expectNoSideScroll } from './see.ts'

export async function expectAccessible(page: Page): Promise<void> {
  await settle(page)
  // The legacy mode runs in the page itself, a third of the work; it skips cross-origin frames, here only the fake widget's.
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

/** A fade in progress reduces contrast: waits for finite animations, not for infinite ones. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((animation) => animation.finished))
  })
}
