// The UUIDs of pages over plain http, where `crypto.randomUUID` is missing.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { randomUuid } from './random-uuid.ts'

test('every value is another UUID of version 4', () => {
  const ids = Array.from({ length: 500 }, randomUuid)
  for (const id of ids) expect([id, z.uuidv4().safeParse(id).success]).toEqual([id, true])
  expect(new Set(ids).size).toBe(500)
})
