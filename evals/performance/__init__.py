"""The performance instrument: plan -> sender -> traces -> metrics -> validity."""
