/** What every group of the panel is given. */
import type { Business } from './model';

export interface GroupProps {
  of: Business;
}
