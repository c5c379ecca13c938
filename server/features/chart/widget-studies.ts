// Which provider studies belong to each toggle; the browser only gets those of enabled toggles.
import { chartFlagNames, type ChartFlag, type ChartFlags } from '#shared/chart/chart-flags.ts'

/** Built-ins of the provider: community scripts may be ignored by free widgets, or disappear. */
const studyIds: Readonly<Record<ChartFlag, readonly string[]>> = {
  blockPressure: ['STD;Bull%Bear%Power'],
  volumeDelta: ['STD;Volume%1Delta'],
  zigZag: ['STD;Zig_Zag'],
  pivotpoint: ['STD;Pivot%1Points%1Standard'],
  renkoSRvolume: ['STD;Donchian_Channels', 'Volume@tv-basicstudies'],
  pricePercentageShadedCandel: ['STD;Bollinger%1Bars'],
}

/** Study ids of the enabled toggles, in toggle order. */
export function studiesOf(flags: ChartFlags): string[] {
  return chartFlagNames.filter((flag) => flags[flag]).flatMap((flag) => studyIds[flag])
}
