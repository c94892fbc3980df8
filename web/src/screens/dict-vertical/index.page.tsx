/** Dictionaries, their values below. */
import { dict } from '@/api/nouns/dict';
import { Dictionaries } from '@/screens/shared/Dictionaries';

export default function Page() {
  return <Dictionaries noun={dict} arrangement="below" />;
}
