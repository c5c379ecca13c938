// Texts in the language of the page, and sentences of messages.
import { afterEach, expect, test } from 'vitest'
import { installTexts, formatMessage, texts } from './texts.ts'

afterEach(() => installTexts(undefined))

test('texts are English without an installed language', () => {
  expect(texts('greeting', { hello: 'Hello' }).hello).toBe('Hello')
})

test('an installed language replaces the texts that are made after it', () => {
  installTexts((name, english) => (name === 'greeting' ? { hello: 'नमस्ते' } : english))
  expect(texts('greeting', { hello: 'Hello' }).hello).toBe('नमस्ते')
  expect(texts('other', { hello: 'Hello' }).hello).toBe('Hello')
})

test('a message names its sentence, and its parameters are those of the text', () => {
  const some = texts('some', { plain: 'Enter a name.', typed: (type: string, count: number) => `${count} of ${type}` })
  expect(formatMessage(some, { code: 'some.plain' })).toBe('Enter a name.')
  expect(formatMessage(some, { code: 'some.typed', params: ['crypto', 2] })).toBe('2 of crypto')
})
