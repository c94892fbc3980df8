/** Fetching the texts that a page needs together with it. */
import { loadTexts } from '@/i18n';
import { areasOf } from './areas';

/** Fetches a page together with its texts, so that it is never drawn with keys in their place. `file` is where it stands
 * below `src`, or seen from here. */
export async function withTexts<Module>(file: string, load: () => Promise<Module>): Promise<Module> {
  const areas = areasOf(file.replace(/^\.\.\//, '').replace(/\.tsx?$/, ''));
  const [module] = await Promise.all([load(), loadTexts(areas)]);
  return module;
}
