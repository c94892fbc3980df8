/** Getting a case that is known by its name alone: which files there are, the application knows. */
import type { CaseProps } from './screen';

type Load = (name: string) => Promise<CaseProps | undefined>;

let provided: Load = async () => undefined;

export function provideCases(load: Load): void {
  provided = load;
}

/** The case with its screen and its texts; undefined where the document knows none of this name. */
export const loadCase: Load = (name) => provided(name);
