// Legend texts of a study: formatted values, and its input summary.
import { expect, test } from 'vitest'
import { noChartFlags } from '#shared/chart/chart-flags.ts'
import { studies } from '#shared/indicators/studies.ts'
import { instruments } from '#shared/instruments/instruments.ts'
import { priceText } from '#web/features/market-data/price-text.ts'
import { inputSummary } from './input-summary.ts'
import { studyFormat } from './study-format.ts'
import { studyConfigsOf } from './study-config.ts'

const euro = instruments.find(({ slug }) => slug === 'eur-usd')
if (euro === undefined) throw new Error('no instrument')

test.each([
  ['sma', 1.16234, '1.16234'],
  ['supertrend', 1.1, '1.10000'],
  ['macd', -0.00012, '\u22120.00012'],
  ['atr', 0.00034, '0.00034'],
  ['rsi', 61.238, '61.24'],
  ['blockPressure', -7.5, '\u22127.50'],
  ['volumeDelta', -1_250_000, '\u22121.25M'],
] as const)('%s of %d reads %s', (id, value, text) => {
  expect(studyFormat(studies[id], priceText(euro), euro.tickSize).text(value)).toBe(text)
})

test.each([
  ['sma', {}, '20'],
  ['sma', { length: 9, source: 'open' }, '9 Open'],
  ['macd', {}, '12 26 9'],
  ['vwap', {}, ''],
  ['vwap', { anchor: 'week' }, 'Week'],
  ['zigZag', {}, ''],
  ['zigZag', { deviationPercent: 0.5 }, '0.5'],
  ['pivotpoint', { isDailyBased: false, type: 'woodie' }, 'Woodie Use daily-based values: off'],
] as const)('%s set to %o is summed up as %j', (id, inputs, summary) => {
  expect(inputSummary(studies[id], inputs)).toBe(summary)
})

test('the toggles come first in their order, then the others in the order they were switched on', () => {
  const flags = { ...noChartFlags, zigZag: true, blockPressure: true }
  const kept = { studies: ['rsi', 'gone', 'ema'], hiddenStudies: ['ema'], studyInputs: { rsi: { length: 7 }, sma: { length: 3 } } }
  expect(studyConfigsOf(flags, kept)).toEqual([
    { id: 'blockPressure', inputs: {}, isHidden: false },
    { id: 'zigZag', inputs: {}, isHidden: false },
    { id: 'rsi', inputs: { length: 7 }, isHidden: false },
    { id: 'ema', inputs: {}, isHidden: true },
  ])
})
