// Fills the development database with a realistic world and prints its sign-ins; `--reset` creates the world again.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { readProcessConfig } from '#server/config.ts'
import { passwordHasher } from '#server/features/auth/password.ts'
import type { Database } from '#server/db/database.ts'
import { addressFile } from '#server/db/embedded/open-server.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open-database.ts'
import { seedPassword } from '#server/testing/seed/people.ts'
import { seed, SeedError, seedSignIns } from '#server/testing/seed/seed.ts'

const log = (line: string) => console.log(line)

/** The configured database; a folder that npm run dev holds is reached through the address that it publishes. */
async function open(config: ReturnType<typeof readProcessConfig>): Promise<Database> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl !== undefined) return openDatabase({ dataDir, databaseUrl, log })
  try {
    return await openDatabase({ dataDir, log })
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'DataInUse') throw error
    const file = addressFile(realpathSync(dataDir))
    if (!existsSync(file)) throw new SeedError(`${error.message}. Stop it first, or run it as npm run dev, which shares its database.`)
    return openDatabase({ dataDir, databaseUrl: readFileSync(file, 'utf8'), log })
  }
}

try {
  const flags = process.argv.slice(2)
  if (flags.some((flag) => flag !== '--reset')) throw new SeedError('Usage: npm run seed [-- --reset]')
  const config = readProcessConfig()
  if (config.isProduction) throw new SeedError('Seeding is for development only, because its password is public. NODE_ENV is production.')
  const database = await open(config)
  try {
    await migrate(database, log)
    const outcome = await seed({
      db: database.db,
      nowMs: Date.now(),
      hasher: passwordHasher(config.passwordHashCost),
      isReset: flags.includes('--reset'),
    })
    console.log(outcome === 'created' ? 'Seeded an admin and 40 users.' : 'The seeded world is already there.')
    for (const { email, state } of seedSignIns()) console.log(`  ${state.padEnd(24)} ${email}`)
    console.log(`  Password of all: ${seedPassword}`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
