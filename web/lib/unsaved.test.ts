// What waits in the browser goes with its account and with no other.
import { expect, test } from 'vitest'
import { forgetUnsaved, unsavedDrawingsKey, unsavedWorkspaceKey } from './unsaved.ts'

function areaWith(keys: readonly string[]) {
  const kept = [...keys]
  const area = {
    get length() {
      return kept.length
    },
    key: (at: number) => kept[at] ?? null,
    removeItem: (key: string) => void kept.splice(kept.indexOf(key), 1),
  } as unknown as Storage
  return { kept, area }
}

test('everything of one account goes, and nothing of another or of the browser', () => {
  const asha = [unsavedWorkspaceKey('1'), unsavedDrawingsKey('asha@example.in', 'nifty'), unsavedDrawingsKey('asha@example.in', 'btc-usd')]
  const others = [unsavedWorkspaceKey('12'), unsavedDrawingsKey('natasha@example.in', 'nifty'), 'chart.style']
  const { kept, area } = areaWith([...asha, ...others])
  forgetUnsaved({ id: '1', email: 'asha@example.in' }, () => area)
  expect(kept).toEqual(others)
})

test('a browser that blocks its storage stops nobody', () => {
  const blocked = () => {
    throw new Error('SecurityError')
  }
  expect(() => forgetUnsaved({ id: '1', email: 'asha@example.in' }, blocked)).not.toThrow()
})
