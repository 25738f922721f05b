"""Questions of agents, each with the facts that a user should tell; written before the rules.

A line is the question, a bar, and the labels that it asks for, none if it asks for no fact.
Lines with even numbers served to write the rules, the others to measure them. `LATER` are further
questions, written when the rules were there: 2 of them told more than they asked for, which 5 of
the first did too.
"""

FACTS = {
    "table": {
        "restaurant_name": "Sino", "city": "San Jose", "date": "2019-03-04", "time": "11:30",
        "party_size": "2",
    },
    "bus": {
        "from_city": "Fresno", "to_city": "Anaheim", "departure_date": "2019-03-07",
        "departure_time": "08:20", "num_passengers": "3", "additional_luggage": "True",
    },
    "transfer": {"account_type": "savings", "amount": "120", "recipient": "Diego"},
    "reminder": {
        "title": "Oil the bicycle", "list": "Errands", "due": "2027-03-20T18:30",
        "priority": "high",
    },
    "hotel": {
        "hotel_name": "Park Inn", "location": "Paris", "check_in_date": "2019-03-08",
        "stay_length": "4", "number_of_rooms": "1", "smoking_allowed": "False",
    },
    "message": {"person": "Ada Berg", "text": "See you at the quay"},
    "ride": {"destination": "Lincoln Park Zoo", "number_of_riders": "2", "shared_ride": "True"},
    "event": {
        "title": "Choir practice", "start": "2027-03-20T18:30", "end": "2027-03-20T20:00",
        "place": "Old Mill", "attendees": "Ada Berg and Tom Oduya",
    },
    "payment": {
        "payee": "Ada Berg", "amount": "45.50", "memo": "tickets", "account": "savings",
    },
    "order": {
        "product": "Desk lamp", "quantity": "3", "address": "Mill Street 4", "gift_wrap": "True",
    },
    "mail": {
        "to": "Tom Oduya", "subject": "Boat trip", "text": "We meet at nine.", "cc": "Ada Berg",
    },
    "flight": {
        "origin": "Oslo", "destination": "Lisbon", "departure_date": "2027-04-02",
        "return_date": "2027-04-09", "passengers": "2", "seat_class": "Economy",
        "refundable": "True",
    },
    "doctor": {
        "doctor_name": "Dr. Lind", "appointment_date": "2027-03-30", "appointment_time": "09:15",
        "reason": "sore knee",
    },
    "movie": {
        "movie_name": "Night Boats", "location": "Tromsø", "show_date": "2027-03-21",
        "show_time": "20:30", "number_of_tickets": "4", "show_type": "3d",
    },
    "device": {
        "device": "Hall lamp", "brightness": "40", "room": "Hall", "enabled": "False",
    },
}  # fmt: skip

QUESTIONS = {
    "table": """
What time would you like the reservation?|time
Which restaurant should I book?|restaurant_name
How many people will be dining?|party_size
In which city are you looking for a restaurant?|city
What day should I book the table for?|date
For what date and time do you want the table?|date time
When would you like to go?|date time
Where would you like to eat?|city
What is the name of the restaurant?|restaurant_name
How large is your party?|party_size
Could you tell me the party size?|party_size
Please let me know the date.|date
Do you have a preferred restaurant?|restaurant_name
What kind of food do you like?|
I found Sino in San Jose. At what time should I reserve the table there?|time
Please provide the city, the date and the number of guests.|city date party_size
Do you need outdoor seating?|
Would you like anything else?|
Thanks! I need the restaurant's name and the time.|restaurant_name time
How many seats do you need, and for which day?|party_size date
Which town is the restaurant in?|city
What's your phone number?|
Is there a particular date you have in mind?|date
I have booked your table.|
Tell me everything you know.|
What is your budget?|
At what hour should I book it?|time
May I ask how many of you are coming?|party_size
""",
    "bus": """
Where are you leaving from?|from_city
Where do you want to go?|to_city
What city are you departing from?|from_city
Which city is your destination?|to_city
What date do you want to travel?|departure_date
What time would you like to depart?|departure_time
When do you want to leave?|departure_date departure_time
How many passengers are travelling?|num_passengers
How many tickets should I buy?|num_passengers
Will you bring additional luggage?|additional_luggage
Do you have any extra luggage?|additional_luggage
Please give me the departure time and the number of passengers.|departure_time num_passengers
From where to where do you want to travel?|from_city to_city
Which day are you leaving?|departure_date
Do you want a return ticket?|
What class would you like?|
How are you today?|
Shall I look for trains instead?|
There is a bus at 08:20 for 41 dollars. For how many people should I buy tickets?|num_passengers
What is your departure date?|departure_date
Could you tell me the origin and the destination?|from_city to_city
I need to know the departure city.|from_city
To which city are you travelling?|to_city
What is the arrival time you prefer?|
Do you need a seat by the window?|
Which bus company do you like?|
""",
    "transfer": """
How much do you want to transfer?|amount
Which account should the money come from?|account_type
Who should receive the money?|recipient
To whom should I send it?|recipient
What is the amount?|amount
What type of account is it?|account_type
Please tell me the recipient's name.|recipient
Is it a checking or a savings account?|account_type
What sum shall I send?|amount
Do you want to add a note?|
When should the transfer be made?|
Please specify the account type and the amount.|account_type amount
Who is the recipient, and how much should they get?|recipient amount
What is your password?|
May I know which account to use?|account_type
How much money should I move to Diego?|amount
What is the recipient's bank?|
Done! Is there anything else I can do?|
Where do you live?|
Could you share the recipient with me?|recipient
""",
    "reminder": """
What should the reminder say?|title
What is the title of the reminder?|title
When is it due?|due
On which list should I put it?|list
What priority should it have?|priority
How important is it?|priority
What do you want to be reminded of?|title
What date and time should I set?|due
Which list do you want to use?|list
At what time should I remind you?|due
Please tell me the title and the due date.|title due
Is it urgent?|priority
Should I repeat it every day?|
What colour do you like?|
Which app do you use?|
I will put it on Errands. What priority does it have?|priority
Do you want it on a particular list?|list
Who should be reminded?|
Could you give me the name of the list?|list
Where should I remind you?|
What should I call the reminder?|title
Which day?|due
""",
    "hotel": """
Which hotel would you like to stay at?|hotel_name
What is the name of the hotel?|hotel_name
Where do you need a room?|location
In what city should I look?|location
When do you want to check in?|check_in_date
What is your check-in date?|check_in_date
How many nights will you stay?|stay_length
How long is your stay?|stay_length
How many rooms do you need?|number_of_rooms
Do you need a room where smoking is allowed?|smoking_allowed
Should smoking be allowed?|smoking_allowed
How many days are you going to stay?|stay_length
What day will you arrive?|check_in_date
What star rating do you want?|
Do you have pets?|
What is your check-out date?|
Please provide the location and the number of rooms.|location number_of_rooms
What is the length of your stay, and the date of check in?|stay_length check_in_date
How much can you spend per night?|
For how many people is the room?|
Is the Park Inn in Paris fine for you?|
Which place do you want to book?|hotel_name
Do you smoke?|smoking_allowed
Should the hotel have wifi?|
I need the hotel name, please.|hotel_name
Would you like breakfast?|
""",
    "message": """
Who should I write to?|person
What should the message say?|text
To whom do you want to send the message?|person
What would you like to say?|text
What is the text of the message?|text
Which person do you mean?|person
Who is the recipient?|person
What should I write?|text
When should I send it?|
What is the person's email address?|
Please tell me the person and the text.|person text
Should I add a picture?|
Who is it for, and what should it say?|person text
How is the weather?|
Which thread should I use?|
I sent the message.|
Could you give me the content of the message?|text
What is the subject?|
Who do you want to message?|person
Do you want to send it now?|
""",
    "ride": """
Where do you want to go?|destination
What is your destination?|destination
How many riders are there?|number_of_riders
For how many people is the cab?|number_of_riders
Would you like a shared ride?|shared_ride
Do you mind sharing the ride?|shared_ride
Where should the driver pick you up?|
When do you need the cab?|
Which address should the cab go to?|destination
What kind of car do you want?|
How many seats do you need?|number_of_riders
Is a shared ride okay?|shared_ride
Do you need a ride for two, and where to?|destination number_of_riders
Can I get your name?|
To which place are you heading?|destination
Please tell me the destination and whether the ride is shared.|destination shared_ride
How much do you want to pay?|
Your cab arrives in five minutes.|
How many of you are riding?|number_of_riders
Should I call a taxi or a bus?|
""",
}

LATER = {
    "event": """
What would you like to call the event?|title
When does it start, and when does it end?|start end
At what time should the event begin?|start
Where will it take place?|place
Who should be invited?|attendees
Which people should I add as attendees?|attendees
How long will it last?|end
What's the event's location?|place
Could you give me the title and the start time of the event?|title start
I can add that for you. What is the event called and where is it?|title place
Should I set a reminder for it?|
Is it an all-day event?|
What color should it have in your calendar?|
Sure! For the event I need a title, a start time, an end time and the place.|title start end place
Who is organising it?|
Do you want to repeat it weekly?|
Until when does it last?|end
""",
    "payment": """
Who do you want to pay?|payee
How much should I send to them?|amount
From which account should I pay?|account
What should the memo say?|memo
Who is the payee and what amount should I transfer?|payee amount
Would you like to add a memo?|memo
What is your PIN?|
When do you want the payment to go out?|
In which currency?|
Okay, I can do that. What's the amount?|amount
Is there a message you'd like to include?|memo
Which of your accounts would you like to use?|account
What's the IBAN of the payee?|
I see that you have 300 crowns in savings. How much of it do you want to pay?|amount
""",
    "order": """
Which product would you like to order?|product
How many of them do you need?|quantity
What address should it be delivered to?|address
Where should I ship it?|address
Would you like it gift wrapped?|gift_wrap
What are you looking to buy?|product
What quantity?|quantity
Do you have a voucher?|
Which payment method should I use?|
Please confirm the shipping address.|address
When do you need it by?|
How many lamps should I put in your cart, and is it a gift?|quantity gift_wrap
What's your name?|
Do you want express delivery?|
Could you tell me what item you want?|product
""",
    "mail": """
Who should I send the email to?|to
What should the subject line be?|subject
What do you want the email to say?|text
Should anyone be copied in?|cc
What's the body of the email?|text
Who is the email for, and what's the subject?|to subject
Should I attach anything?|
Do you want me to CC someone?|cc
Which address should I send it from?|
What's the recipient?|to
Could you please provide the recipient, the subject, and the content?|to subject text
Is it urgent?|
When should it be sent?|
""",
    "flight": """
Which city are you flying from?|origin
Where are you flying to?|destination
What day do you want to leave?|departure_date
When are you coming back?|return_date
How many people are travelling?|passengers
What class would you like to fly?|seat_class
Do you need a refundable ticket?|refundable
What are your travel dates?|departure_date return_date
Do you prefer a window seat?|
Which airline do you like?|
What is your budget for the flight?|
Where will you be departing from, and what's your destination?|origin destination
Is this a one-way or a return trip?|
Economy or business class?|seat_class
On what date would you like to return?|return_date
How many bags will you check in?|
What time do you want to leave?|
What's the date of your outbound flight?|departure_date
""",
    "doctor": """
Which doctor would you like to see?|doctor_name
What date works for you?|appointment_date
What time works for you?|appointment_time
What is the reason for your visit?|reason
Why do you want to see the doctor?|reason
What's the doctor's name?|doctor_name
When should the appointment be?|appointment_date appointment_time
What is your date of birth?|
Are you insured?|
Which hospital is it in?|
What symptoms do you have?|
Have you been there before?|
What day and time should I book the appointment for?|appointment_date appointment_time
""",
    "movie": """
What movie would you like to watch?|movie_name
Which film do you want to see?|movie_name
Which city are you in?|location
How many tickets do you want?|number_of_tickets
On which day would you like to go?|show_date
What time should the show be?|show_time
Do you want to see it in 3D?|show_type
What type of show would you like?|show_type
Which theater do you prefer?|
What genre do you like?|
How many of you are going to the movies?|number_of_tickets
Where would you like to see it?|location
What time is it now?|
""",
    "device": """
Which device should I switch?|device
How bright should it be?|brightness
In what room is it?|room
Should it be on or off?|enabled
What brightness do you want?|brightness
Which lamp do you mean?|device
What colour should the light have?|
At what time should I turn it off?|
What would you like me to set the brightness to?|brightness
Is it the lamp in the kitchen?|
""",
}
