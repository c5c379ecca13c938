// Looks of the Tezi chart (style, scale, colours, studies): saved for an account as if on another device, and shown.
import type { Page } from '@playwright/test'
import { chartFlagNames, noChartFlags } from '../../shared/chart/chart-flags.ts'
import { chartPathOf, findInstrument } from '../../shared/instruments/instruments.ts'
import { classicIds, type StudyId } from '../../shared/indicators/lib/study-ids.ts'
import { noWorkspace, type ChartPlace } from '../../shared/workspace/workspace.ts'
import type { StudySettings } from '../../shared/workspace/study-settings.ts'
import type { ChartOptions } from '../../web/features/chart/native/chart-options.ts'
import { callerAs, type Person } from './people.ts'

export interface Look {
  readonly name: string
  readonly options?: Partial<ChartOptions>
  readonly studies?: readonly StudyId[]
  /** The usual one unless given. */
  readonly place?: ChartPlace
}

export const plain: ChartOptions = { style: 'candles', scale: 'linear', colours: 'classic', hasBreaks: true, adjustment: 'splits' }

const place: ChartPlace = { slug: 'btc-usdt', timeframe: '15' }
/** The chart of all looks, and the topic of its live candles. */
export const lookedAt = `/${place.slug}?tf=${place.timeframe}`
export const lookedAtTopic = `${place.slug}:${place.timeframe}`

/** Saves a look for the account, as if chosen on another device. */
export async function keeperOf(person: Person): Promise<(look: Look) => Promise<void>> {
  const call = await callerAs(person)
  // The page finds everything saved and saves nothing itself.
  let version = 0
  return async (look) => {
    await call('PUT', '/user/workspace', {
      version,
      workspace: { ...noWorkspace, last: look.place ?? place, ...choicesOf(look), ...studiesOf(look) },
    })
    version += 1
    const flags = chartFlagNames.map((flag) => [flag, look.studies?.includes(flag) === true])
    await call('PUT', '/user/chart-settings', { ...noChartFlags, ...Object.fromEntries(flags) })
  }
}

/** Reloads the chart in a browser that has the look cached, so that it does not change while loading. */
export async function show(page: Page, look: Look): Promise<void> {
  const kept = {
    engine: choicesOf(look).engine,
    options: JSON.stringify(choicesOf(look).options),
    studies: JSON.stringify(studiesOf(look)),
  }
  await page.evaluate((items) => {
    for (const [name, text] of Object.entries(items)) localStorage.setItem(`chart.${name}`, text)
  }, kept)
  if (look.place === undefined) await page.reload()
  else await page.goto(addressOf(look.place))
  await page.getByTestId('chart-legend').waitFor()
  // A long list is collapsed on a phone.
  const collapsed = page.getByRole('button', { name: /^\d+ stud(y|ies)$/ })
  for (const study of look.studies ?? []) await page.locator(`[data-study=${study}]`).or(collapsed).first().waitFor()
  await page.evaluate(() => document.fonts.ready)
}

function addressOf({ slug, timeframe }: ChartPlace): string {
  const instrument = findInstrument(slug)
  if (instrument === undefined) throw new Error(`There is no instrument ${slug}`)
  return `${chartPathOf(instrument)}?tf=${timeframe}`
}

function choicesOf({ options }: Look) {
  return { engine: 'tezi', options: { ...plain, ...options } }
}

function studiesOf({ studies = [] }: Look): StudySettings {
  return { studies: classicIds.filter((id) => studies.includes(id)), hiddenStudies: [], studyInputs: {} }
}
