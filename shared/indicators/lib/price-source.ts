// Price source input of a study.
import { type ChoiceInput } from './study-input.ts'
import { inputText } from '#shared/indicators/text/en.ts'

export type PriceSource = 'close' | 'open' | 'high' | 'low'

export const sourceInput: ChoiceInput<PriceSource> = {
  kind: 'choice',
  label: inputText.source,
  default: 'close',
  options: (['close', 'open', 'high', 'low'] as const).map((value) => ({ value, label: inputText.sources[value] })),
}
