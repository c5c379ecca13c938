// Merges the `.env` file with the variables of the process, which take precedence.
import { parseEnv } from 'node:util'

type Variables = Readonly<Record<string, string | undefined>>

export interface Environment {
  readonly values: Variables
  /** The file that was read, relative to the working folder; undefined if there is none. */
  readonly file: string | undefined
  /** `environment` for a variable of the process, or the name of the file that was read. */
  readonly originOf: (name: string) => string | undefined
}

/** Returns the text of a file, undefined if there is none. @throws Error if it cannot be read */
export type ReadText = (file: string) => string | undefined

/**
 * The variables of a process and of its `.env` file. The process takes precedence, even with an empty value, which unsets it.
 * `ENV_FILE` names another file, or `none`. Under `NODE_ENV=test` only a named file is read.
 * @throws Error if a named file is missing or the file cannot be read
 */
export function withEnvFile(own: Variables, readText: ReadText): Environment {
  const named = own['ENV_FILE'] || undefined
  const isOff = named === 'none' || (named === undefined && own['NODE_ENV'] === 'test')
  const name = named ?? '.env'
  const text = isOff ? undefined : readText(name)
  if (text === undefined && !isOff && named !== undefined) throw new Error(`ENV_FILE: there is no file ${named}`)
  // Windows editors start a file with a byte order mark, which would become part of the first name.
  const read: Variables = text === undefined ? {} : parseEnv(text.replace(/^\uFEFF/, ''))
  return {
    values: { ...read, ...own },
    file: text === undefined ? undefined : name,
    originOf: (variable) => (own[variable] !== undefined ? 'environment' : read[variable] === undefined ? undefined : name),
  }
}
