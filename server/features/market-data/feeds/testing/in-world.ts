// A feed fixture for one test, always closed at its end.
import { feedWorld, type FeedSubject, type FeedWorld } from './feed-fixture.ts'

/** Runs a test with a feed and its exchange, which end with the test. */
export async function inWorld(subject: FeedSubject, run: (world: FeedWorld) => Promise<void>): Promise<void> {
  await run(await feedWorld(subject))
}
