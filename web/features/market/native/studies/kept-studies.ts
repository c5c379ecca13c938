// What the person chose about studies, in this browser; the workspace carries it to the account and to other devices.
import { useSyncExternalStore } from 'react'
import { keptStudiesSchema, type KeptStudies } from '#shared/workspace/workspace.ts'
import { chartChoices } from '#web/lib/storage.ts'

const name = 'studies'
const none: KeptStudies = { studies: [], hiddenStudies: [], studyInputs: {} }
let knownText: string | undefined
let known = none

export function useKeptStudies(): KeptStudies {
  return useSyncExternalStore(chartChoices.onChange, read)
}

export function changeStudies(update: (kept: KeptStudies) => KeptStudies): void {
  const before = read()
  const after = update(before)
  if (after !== before) chartChoices.set(name, JSON.stringify(after))
}

/** The same object until something changes. */
function read(): KeptStudies {
  const text = chartChoices.get(name)
  if (text !== knownText) {
    knownText = text
    known = parse(text)
  }
  return known
}

function parse(text: string | undefined): KeptStudies {
  try {
    return keptStudiesSchema.safeParse(JSON.parse(text ?? 'null')).data ?? none
  } catch {
    return none
  }
}
