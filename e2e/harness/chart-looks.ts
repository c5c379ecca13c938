// Looks of our own chart (style, scale, colours, studies): saved for an account as if on another device, and shown.
import type { Page } from '@playwright/test'
import { chartFlagNames, noChartFlags } from '../../shared/market/chart-flags.ts'
import { classicIds, type StudyId } from '../../shared/market/indicators/study-ids.ts'
import { noWorkspace, type KeptStudies } from '../../shared/workspace/workspace.ts'
import type { ChartOptions } from '../../web/features/market/native/chart-options.ts'
import { callerAs, type Person } from './people.ts'

export interface Look {
  readonly name: string
  readonly options?: Partial<ChartOptions>
  readonly studies?: readonly StudyId[]
}

export const plain: ChartOptions = { style: 'candles', scale: 'linear', colours: 'classic', hasBreaks: true, adjustment: 'splits' }

const place = { slug: 'btc-usdt', timeframe: '15' } as const
/** The chart that all looks are of, and its candles on the line. */
export const lookedAt = `/${place.slug}?tf=${place.timeframe}`
export const lookedAtTopic = `${place.slug}:${place.timeframe}`

/** Gives the account a look, as if chosen on another device. */
export async function keeperOf(person: Person): Promise<(look: Look) => Promise<void>> {
  const call = await callerAs(person)
  // The page finds everything as it is and saves nothing itself.
  let version = 0
  return async (look) => {
    await call('PUT', '/user/workspace', { version, workspace: { ...noWorkspace, last: place, ...choicesOf(look), ...studiesOf(look) } })
    version += 1
    const flags = chartFlagNames.map((flag) => [flag, look.studies?.includes(flag) === true])
    await call('PUT', '/user/chart-settings', { ...noChartFlags, ...Object.fromEntries(flags) })
  }
}

/** Opens the chart anew in a browser that knows the look from before, so that nothing on it changes while it comes. */
export async function show(page: Page, look: Look): Promise<void> {
  const kept = {
    engine: choicesOf(look).engine,
    options: JSON.stringify(choicesOf(look).options),
    studies: JSON.stringify(studiesOf(look)),
  }
  await page.evaluate((items) => {
    for (const [name, text] of Object.entries(items)) localStorage.setItem(`chart.${name}`, text)
  }, kept)
  await page.reload()
  await page.getByTestId('chart-legend').waitFor()
  for (const study of look.studies ?? []) await page.locator(`[data-study=${study}]`).waitFor()
  await page.evaluate(() => document.fonts.ready)
}

function choicesOf({ options }: Look) {
  return { engine: 'tezi', options: { ...plain, ...options } }
}

function studiesOf({ studies = [] }: Look): KeptStudies {
  return { studies: classicIds.filter((id) => studies.includes(id)), hiddenStudies: [], studyInputs: {} }
}
