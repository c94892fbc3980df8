/** Choosers by the nouns whose rows they choose: `screens/equip/inspectmachine.chooser.tsx` is that of `inspectmachine`. */
import { type ComponentType, lazy } from 'react';
import { type ChooserProps, provideChoosers } from '@/kit/choosers';
import { withTexts } from './texts';

const found = Object.entries(
  import.meta.glob<{ default: ComponentType<ChooserProps> }>('../screens/**/*.chooser.tsx'),
).map(([file, load]) => {
  const noun = /([^/]+)\.chooser\.tsx$/.exec(file)?.[1] ?? '';
  return [noun, lazy(() => withTexts(file, load))] as const;
});
const choosers = new Map<string, ComponentType<ChooserProps>>(found);

provideChoosers((noun) => choosers.get(noun));
