/** The system dictionary, the same for all companies. */
import { dict } from '@/api/nouns/dict';
import { Dictionaries } from '@/screens/shared/Dictionaries';

export default function SystemDictionaries() {
  return <Dictionaries noun={dict} arrangement="beside" />;
}
