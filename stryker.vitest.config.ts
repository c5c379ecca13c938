// The tests that mutation testing runs: rules and readers, no database. Files are matched to `mutate` in stryker.config.json.
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'

/** Tests that hash or decode run last: a mutant that a table detects does not wait for them. */
const expensive = /\/(password-hasher|check-plan-image|read-qr)\.test\.ts$/

class CheapFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.toSorted((one, other) => Number(expensive.test(one.moduleId)) - Number(expensive.test(other.moduleId))))
  }
}

export default defineConfig({
  test: {
    include: [
      'shared/{auth,base,plans,privacy,subscriptions,users}/*.test.ts',
      'server/features/auth/{hash-secret,password-hasher,rules}.test.ts',
      'server/features/plans/{check-plan-image,read-qr}.test.ts',
      'server/features/subscriptions/{present,rules}.test.ts',
      'server/http/{add-common-hooks,rate-limiter,serve,session}.test.ts',
    ],
    environment: 'node',
    testTimeout: 60_000,
    // A mutant that survives a few cases of a property would survive its tables too.
    env: { FC_RUNS: '0.2' },
    sequence: { sequencer: CheapFirst },
  },
})
