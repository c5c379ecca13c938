// The only reader of the environment: the variables of the process, and those of its `.env` file.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Variables = Readonly<Record<string, string | undefined>>

export interface Environment {
  readonly values: Variables
  /** The file that was read, relative to the working folder; undefined if there is none. */
  readonly file: string | undefined
  /** `environment` for a variable of the process, or the name of the file that was read. */
  readonly originOf: (name: string) => string | undefined
}

/** Thrown with one line per invalid value; never contains values of secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The unvalidated variables of this process and of its `.env` file. @throws ConfigError if the file cannot be read */
export function readProcessEnvironment(): Environment {
  try {
    return withEnvFile(process.env, readText)
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The variables of a process and of its `.env` file. The process takes precedence, even with an empty value, which unsets it.
 * `ENV_FILE` names another file, or `none`. Under `NODE_ENV=test` only a named file is read.
 * @param readFile text of a file, undefined if there is none
 * @throws Error if a named file is missing or the file cannot be read
 */
export function withEnvFile(own: Variables, readFile: (file: string) => string | undefined): Environment {
  const named = own['ENV_FILE'] || undefined
  const isOff = named === 'none' || (named === undefined && own['NODE_ENV'] === 'test')
  const name = named ?? '.env'
  const text = isOff ? undefined : readFile(name)
  if (text === undefined && !isOff && named !== undefined) throw new Error(`ENV_FILE: there is no file ${named}`)
  // Windows editors start a file with a byte order mark, which would become part of the first name.
  const read: Variables = text === undefined ? {} : parseEnv(text.replace(/^\uFEFF/, ''))
  return {
    values: { ...read, ...own },
    file: text === undefined ? undefined : name,
    originOf: (variable) => (own[variable] !== undefined ? 'environment' : read[variable] === undefined ? undefined : name),
  }
}
