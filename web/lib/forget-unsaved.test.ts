// What this browser keeps of a person is removed per account.
import { expect, test } from 'vitest'
import { addSaver, forgetUnsaved, forgetUnsavedOfOthers, saveUnsaved, unsavedDrawingsKey, unsavedWorkspaceKey } from './forget-unsaved.ts'
import { createSafeStorage } from './browser-storage.ts'

const asha = [unsavedWorkspaceKey('1'), unsavedDrawingsKey('asha@example.in', 'nifty'), unsavedDrawingsKey('asha@example.in', 'btc-usd')]
const others = [unsavedWorkspaceKey('12'), unsavedDrawingsKey('natasha@example.in', 'nifty')]
const owner = { id: '1', email: 'asha@example.in' }

function storageWith(keys: readonly string[]) {
  const kept = [...keys]
  const area = {
    get length() {
      return kept.length
    },
    key: (at: number) => kept[at] ?? null,
    removeItem: (key: string) => void kept.splice(kept.indexOf(key), 1),
  } as unknown as Storage
  return { kept, storage: createSafeStorage(() => area) }
}

test('ignores blocked storage', () => {
  const blocked = createSafeStorage(() => {
    throw new Error('SecurityError')
  })
  expect(() => forgetUnsaved(owner, blocked)).not.toThrow()
})

test('removes everything of one account, and nothing of another or of the browser', () => {
  const { kept, storage } = storageWith([...asha, ...others, 'chart.style'])
  forgetUnsaved(owner, storage)
  expect(kept).toEqual([...others, 'chart.style'])
})

test('keeps the unsaved changes of the person who signs in, and of no other', () => {
  const { kept, storage } = storageWith([...asha, ...others, 'sessionToken'])
  forgetUnsavedOfOthers(owner, storage)
  expect(kept).toEqual([...asha, 'sessionToken'])
})

test('a failed save does not stop the others', async () => {
  const saved: string[] = []
  const stops = [addSaver(() => Promise.reject(new Error('offline'))), addSaver(async () => void saved.push('workspace'))]
  await saveUnsaved()
  expect(saved).toEqual(['workspace'])
  for (const stop of stops) stop()
})
