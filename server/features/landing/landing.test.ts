// The facts of the landing page: a page never waits for a database that does not answer.
import { expect, test } from 'vitest'
import { defaultSite } from '#shared/base/site.ts'
import { landingService } from './service.ts'

test('the last facts are given at once while a read does not end, and the new ones after it', async () => {
  let nowMs = 0
  let price = 49_900
  let frozen: Promise<unknown> = Promise.resolve()
  const site = landingService({
    site: defaultSite,
    hasLiveClaims: false,
    async offers() {
      await frozen
      return [{ type: 'regular', price, month: 1 }]
    },
    countUsers: () => Promise.resolve(0),
    isHidden: () => false,
    now: () => nowMs,
    onError: (error) => expect.unreachable(String(error)),
  })
  const first = await site()
  expect(first.prices.regular).toContain('49,900')

  const thaw = Promise.withResolvers<undefined>()
  frozen = thaw.promise
  price = 59_900
  nowMs += 60_000
  for (let page = 0; page < 20; page += 1) expect(await site()).toBe(first)

  thaw.resolve(undefined)
  await expect.poll(async () => (await site()).prices.regular).toContain('59,900')
})

test('live claims show no figure of the settings before users are counted', async () => {
  const counted = Promise.withResolvers<number>()
  const site = landingService({
    site: defaultSite,
    hasLiveClaims: true,
    offers: () => Promise.resolve([]),
    countUsers: () => counted.promise,
    isHidden: () => false,
    now: () => 0,
    onError: (error) => expect.unreachable(String(error)),
  })
  const figure = async () => (await site()).claims.find(({ what }) => what === 'analysts')?.figure
  expect(await figure()).toBe('–')
  counted.resolve(2)
  await expect.poll(figure).toBe('2')
})
