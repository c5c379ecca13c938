// Which studies of the provider stand behind each toggle; the browser only ever learns those of enabled toggles.
import { chartFlagNames, type ChartFlag, type ChartFlags } from '#shared/market/chart-flags.ts'

/** The provider's built-ins: community scripts may be ignored by free widgets, or vanish. */
const studyIds: Readonly<Record<ChartFlag, readonly string[]>> = {
  blockPressure: ['STD;Bull%Bear%Power'],
  volumeDelta: ['STD;Volume%1Delta'],
  zigZag: ['STD;Zig_Zag'],
  pivotpoint: ['STD;Pivot%1Points%1Standard'],
  renkoSRvolume: ['STD;Donchian_Channels', 'Volume@tv-basicstudies'],
  pricePercentageShadedCandel: ['STD;Bollinger%1Bars'],
}

/** Study ids of the enabled toggles, in the order of the toggles. */
export function studiesOf(flags: ChartFlags): string[] {
  return chartFlagNames.filter((flag) => flags[flag]).flatMap((flag) => studyIds[flag])
}
