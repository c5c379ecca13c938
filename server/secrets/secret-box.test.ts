// Encryption of stored secrets: another context, key or byte is rejected.
import { expect, test } from 'vitest'
import { secretBox, SecretKeyError } from './secret-box.ts'

const box = secretBox(Buffer.alloc(32, 1))

test('another context, another key and a changed byte are rejected', () => {
  const sealed = box.seal('secret', 'totp:a')
  expect(() => box.open(sealed, 'totp:b')).toThrow('unable to authenticate')
  expect(() => secretBox(Buffer.alloc(32, 2)).open(sealed, 'totp:a')).toThrow(SecretKeyError)
  for (let at = 4; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(sealed.readUInt8(at) ^ 1, at)
    expect(() => box.open(changed, 'totp:a')).toThrow('unable to authenticate')
  }
})

test('a sealed value opens again, differs each time, and does not contain the text', () => {
  const sealed = box.seal('secret', 'totp:a')
  expect(box.open(sealed, 'totp:a')).toBe('secret')
  expect(box.seal('secret', 'totp:a').equals(sealed)).toBe(false)
  expect(sealed.includes('secret')).toBe(false)
})

test('a value opens with the key before the last rotation, and only with the key of its own purpose', () => {
  const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sealed = secretBox(old, { purpose: 'broker connections' }).seal('secret', 'broker:a')
  const rotated = secretBox(fresh, { purpose: 'broker connections', previousKey: old })
  expect(rotated.open(sealed, 'broker:a')).toBe('secret')
  expect(rotated.open(rotated.seal('newer', 'broker:a'), 'broker:a')).toBe('newer')
  expect(() => secretBox(old, { purpose: 'broker connections' }).open(rotated.seal('x', 'broker:a'), 'broker:a')).toThrow(SecretKeyError)
  expect(() => secretBox(old).open(sealed, 'broker:a')).toThrow(SecretKeyError)
})
