/** Dictionaries, their values at the side. */
import { dict } from '@/api/nouns/dict';
import { Dictionaries } from '@/screens/shared/Dictionaries';

export default function Page() {
  return <Dictionaries noun={dict} arrangement="beside" />;
}
