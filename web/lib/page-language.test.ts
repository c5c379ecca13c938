// Sentences of the server in the language of the page.
import { afterEach, expect, test } from 'vitest'
import { inPageLanguage, setCatalogue } from './page-language.ts'

const body = {
  success: false,
  message: 'A crypto plan exists',
  error: 'A crypto plan exists',
  code: 'plans.taken',
  params: ['crypto'],
  fields: { type: 'A crypto plan exists', price: 'Too low' },
  fieldCodes: { type: { code: 'plans.taken', params: ['crypto'] }, price: { code: 'plans.unknown' } },
}

afterEach(() => setCatalogue(undefined))

test('an English page shows the sentences of the server', () => {
  expect(inPageLanguage(body)).toBe(body)
})

test('a page in another language shows its own sentence of a known code, else the server’s', () => {
  setCatalogue({ plans: { taken: (type: string) => `${type} लिया गया` } })
  expect(inPageLanguage(body)).toMatchObject({
    message: 'crypto लिया गया',
    error: 'crypto लिया गया',
    fields: { type: 'crypto लिया गया', price: 'Too low' },
  })
  expect(inPageLanguage({ ...body, code: 'later.release' })).toMatchObject({ message: 'A crypto plan exists' })
})

test.each([undefined, 'text', { data: [] }, { success: true, message: 'Fine' }])('the response %j stays as it is', (other) => {
  setCatalogue({ plans: {} })
  expect(inPageLanguage(other)).toBe(other)
})
