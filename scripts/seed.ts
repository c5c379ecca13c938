// Fills the development database with realistic seed data and prints its sign-ins; `--reset` recreates it.
import { readProcessConfig } from '#server/config/config.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { migrate } from '#server/db/migrate.ts'
import { openBesideServer } from '#server/open-database.ts'
import { seedPassword } from '#server/testing/seed/people.ts'
import { seed, SeedError, seedSignIns } from '#server/testing/seed/seed.ts'

const log = (line: string) => console.log(line)

try {
  const flags = process.argv.slice(2)
  if (flags.some((flag) => flag !== '--reset')) throw new SeedError('Usage: npm run seed [-- --reset]')
  const config = readProcessConfig()
  if (config.isProduction) throw new SeedError('Seeding is for development only, because its password is public. NODE_ENV is production.')
  const { dataDir, databaseUrl } = config
  const database = await openBesideServer({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }), isMaintenance: true, log })
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
