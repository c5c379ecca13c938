// What a chart gets to show studies.
import type { StudyKit } from './study-kit.ts'
import type { StudyWish } from './study-wish.ts'

/** The wishes with the code that can fulfil them, which is fetched for the first one. */
export interface StudyPicture {
  readonly kit: StudyKit
  readonly wishes: readonly StudyWish[]
}
