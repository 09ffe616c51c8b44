"""Choice by letter: the development questions of MMLU, in English and seven translations."""
