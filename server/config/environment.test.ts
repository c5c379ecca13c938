// The `.env` file next to the variables of a process.
import { expect, test } from 'vitest'
import { withEnvFile } from './environment.ts'

const files: Readonly<Record<string, string>> = {
  '.env': '\uFEFFPORT=4000\r\nBRAND_NAME="Kesar # Chai" # a comment\r\nHOST=::1',
  'other.env': 'PORT=6000',
}
const read = (own: Readonly<Record<string, string>>) => withEnvFile(own, (file) => files[file])

test('a variable of the process overrides the file, even if empty', () => {
  const { values, file, originOf } = read({ HOST: '0.0.0.0', BRAND_NAME: '' })
  expect(values).toEqual({ PORT: '4000', HOST: '0.0.0.0', BRAND_NAME: '' })
  expect(file).toBe('.env')
  expect(['PORT', 'HOST', 'BRAND_NAME', 'SMTP_URL'].map(originOf)).toEqual(['.env', 'environment', 'environment', undefined])
  expect(read({ ENV_FILE: 'other.env' }).originOf('PORT')).toBe('other.env')
})

test.each([
  ['the default file', {}, '4000'],
  ['a named file', { ENV_FILE: 'other.env' }, '6000'],
  ['an empty file name', { ENV_FILE: '' }, '4000'],
  ['no file on request', { ENV_FILE: 'none' }, undefined],
  ['no file in tests', { NODE_ENV: 'test' }, undefined],
  ['a named file in tests', { NODE_ENV: 'test', ENV_FILE: 'other.env' }, '6000'],
])('%s: %j', (_, own, port) => {
  expect(read(own).values['PORT']).toBe(port)
})

test('a missing .env is no error, but a missing named file and an unreadable file are', () => {
  expect(withEnvFile({ PORT: '1' }, () => undefined)).toMatchObject({ values: { PORT: '1' }, file: undefined })
  expect(() => read({ ENV_FILE: 'absent.env' })).toThrow('ENV_FILE: there is no file absent.env')
  const denied = () => {
    throw new Error('EACCES: permission denied')
  }
  expect(() => withEnvFile({}, denied)).toThrow('EACCES')
})
